-- The most frequent events.
SELECT event, count(*) AS records FROM events GROUP BY event ORDER BY records DESC, event LIMIT 3
