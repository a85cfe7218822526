-- Lost events, by cause and thread.
SELECT cause, thread, count(*) AS places, sum(dropped) AS lost
FROM dropped
GROUP BY cause, thread
ORDER BY cause, thread
