-- A column that only the newer version of the program has, and one whose type it has changed.
SELECT priority, count(*) AS requests, sum(size) AS bytes, sum(size__uint64) AS new_bytes
FROM disk_read
GROUP BY priority
ORDER BY coalesce(priority, -1)
