-- The number of records.
SELECT count(*) AS records FROM events
