-- The wakes of a waiting run with those that join it, oldest first. A run keeps 64 KiB of payloads; of a payload that has no
-- room it keeps the size, and which decision it was of. `added` is `json`, which keeps the text whose size is reported.
-- contract: the previous version does not call it
CREATE FUNCTION join_wakes(known JSONB, added JSON) RETURNS JSONB LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  room INTEGER := 65536 - (
    SELECT coalesce(sum(octet_length(wake ->> 'payload')), 0) FROM jsonb_array_elements(known) wake);
  joined JSONB := known;
  wake JSON;
  bytes INTEGER;
BEGIN
  FOR wake IN SELECT value FROM json_array_elements(added) LOOP
    bytes := coalesce(octet_length(wake ->> 'payload'), 0);
    IF bytes > room THEN
      joined := joined || jsonb_build_array(jsonb_set(wake::jsonb, '{payload}',
        jsonb_build_object('omitted', true, 'byteSize', bytes) || CASE wake ->> 'source'
          WHEN 'approval' THEN jsonb_build_object('approvalId', wake -> 'payload' -> 'approvalId') ELSE '{}' END));
    ELSE
      joined := joined || jsonb_build_array(wake::jsonb);
      room := room - bytes;
    END IF;
  END LOOP;
  RETURN (
    SELECT coalesce(jsonb_agg(value ORDER BY value ->> 'at', place), '[]')
    FROM jsonb_array_elements(joined) WITH ORDINALITY AS one(value, place));
END $$;
