-- Which request for work of a runner a run was given for, so that one that arrives behind a later one takes nothing back.
-- The default is constant, so no stored row is written.
ALTER TABLE "heartbeat_run" ADD COLUMN "next_seq" INTEGER NOT NULL DEFAULT 0;
