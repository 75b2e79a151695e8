DROP VIEW table_holds;
