-- What the Prisma schema cannot say: decided wakes by age, which retention takes from the oldest on.
CREATE INDEX "agent_wakeup_decided" ON "agent_wakeup"("created_at") WHERE "status" <> 'pending' AND "routine_run_id" IS NULL;
