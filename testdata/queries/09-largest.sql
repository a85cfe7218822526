-- The largest unsigned integer.
SELECT token, count(*) AS records, min(wall_ns) AS first_ns
FROM ticket
WHERE token = (SELECT max(token) FROM ticket)
GROUP BY token
