DROP TABLE removed_members;
