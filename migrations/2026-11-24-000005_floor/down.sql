DROP TABLE undos, calls, sitting_members, sittings, tables;
