-- AlterTable
ALTER TABLE "grid" ADD COLUMN     "stopped_at" TIMESTAMPTZ(3);
