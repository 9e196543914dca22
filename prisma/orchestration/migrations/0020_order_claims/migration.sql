-- lock: a new column with a constant default is a catalogue change and takes milliseconds
ALTER TABLE "heartbeat_run" ADD COLUMN "priority_rank" INTEGER NOT NULL DEFAULT 2;

-- The time from which runs that become ready later no longer start first. A constant head start per priority is
-- the ageing: an index keeps its order, because the order of two waiting runs never changes.
-- contract: the previous version does not call it
CREATE FUNCTION run_starts_by(created_at TIMESTAMPTZ, not_before TIMESTAMPTZ, priority_rank INTEGER)
RETURNS TIMESTAMPTZ LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT greatest(created_at, not_before) + CASE priority_rank
    WHEN 0 THEN interval '0 hours' WHEN 1 THEN interval '12 hours'
    WHEN 2 THEN interval '20 hours' ELSE interval '24 hours' END
$$;

-- Waiting runs by company in the order in which they start. `not_before` is in the index, so that a claim skips runs
-- that are not due without reading their rows.
-- lock: writes of runs wait for about a second per million runs
CREATE INDEX "heartbeat_run_claim_order" ON "heartbeat_run"("company_id",
  run_starts_by("created_at", "not_before", "priority_rank"), "id", coalesce("not_before", '-infinity'::timestamptz))
  WHERE "status" = 'queued';

-- contract: the previous version finds the same runs by the new index and sorts them
DROP INDEX "heartbeat_run_waiting_company";
