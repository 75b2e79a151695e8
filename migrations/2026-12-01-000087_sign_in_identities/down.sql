DROP TABLE sign_in_identities;
