-- How often what held a run was lost at no cost: ten times, after which each loss costs an attempt.
ALTER TABLE "heartbeat_run" ADD COLUMN "losses" INTEGER NOT NULL DEFAULT 0;
