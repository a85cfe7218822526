-- Strings with bytes that are not UTF-8, and other unusual ones.
SELECT file, count(*) AS requests FROM disk_read GROUP BY file ORDER BY file
