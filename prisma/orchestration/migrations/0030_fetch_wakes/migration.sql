-- True while no worker holds a run that runs: whoever works on it elsewhere ends it, or its lease does. The default is
-- constant, so no stored row is written.
ALTER TABLE "heartbeat_run" ADD COLUMN "is_detached" BOOLEAN NOT NULL DEFAULT false;
