-- AlterTable
ALTER TABLE "agent_wakeup" ADD COLUMN     "correlation_id" VARCHAR(128),
ADD COLUMN     "trace_context" VARCHAR(55);

-- AlterTable
ALTER TABLE "heartbeat_run" ADD COLUMN     "correlation_id" VARCHAR(128),
ADD COLUMN     "trace_context" VARCHAR(55);
