-- True while no worker holds a run that runs: whoever works on it elsewhere ends it, or its lease does. The default is
-- constant, so no stored row is written.
ALTER TABLE "heartbeat_run" ADD COLUMN "is_detached" BOOLEAN NOT NULL DEFAULT false;

-- What a sweep looks for: few of the runs, and none that have ended.
CREATE INDEX "heartbeat_run_detached" ON "heartbeat_run" ("lease_expires_at")
  WHERE "is_detached" AND "status" = 'running';
