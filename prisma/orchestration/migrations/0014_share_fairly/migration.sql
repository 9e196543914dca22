-- Waiting runs by company, in the order in which they are due: workers claim for the company with the
-- fewest running, and find each company's next run without reading the others.
-- Before the release, where many runs are stored: CREATE INDEX CONCURRENTLY under the same name.
CREATE INDEX IF NOT EXISTS "heartbeat_run_waiting_company" ON "heartbeat_run"("company_id", coalesce("not_before", '-infinity'::timestamptz), "created_at")
  WHERE "status" = 'queued';

-- Bytes of the company's stored files, those under way included: always the sum over its assets.
ALTER TABLE "company" ADD COLUMN "storage_bytes" BIGINT NOT NULL DEFAULT 0;
UPDATE "company" SET "storage_bytes" = found."bytes"
  FROM (SELECT "company_id", sum("byte_size") AS "bytes" FROM "asset" GROUP BY "company_id") found
  WHERE found."company_id" = "company"."id";
