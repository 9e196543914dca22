-- AlterTable
ALTER TABLE "issue" ADD COLUMN     "cancelled_at" TIMESTAMPTZ(3);

-- The time at which an issue was cancelled stood in "completed_at", which is for done alone.
UPDATE "issue" SET "cancelled_at" = "completed_at", "completed_at" = NULL WHERE "status" = 'cancelled';
