-- Percentiles of the latency of a pair, on each host. They are exact: the smallest latency that is not
-- exceeded by this part of the spans.
WITH ranked AS (
    SELECT host, latency_ns,
        row_number() OVER (PARTITION BY host ORDER BY latency_ns) AS place,
        count(*) OVER (PARTITION BY host) AS spans
    FROM spans
    WHERE pair = 'disk_read:disk_done:req' AND latency_ns IS NOT NULL
)
SELECT host,
    min(CASE WHEN place * 100 >= spans * 50 THEN latency_ns END) AS p50_ns,
    min(CASE WHEN place * 100 >= spans * 99 THEN latency_ns END) AS p99_ns,
    max(latency_ns) AS max_ns,
    max(spans) AS spans
FROM ranked
GROUP BY host
ORDER BY host
