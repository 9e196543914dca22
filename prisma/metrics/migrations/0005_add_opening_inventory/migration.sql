-- AlterTable
ALTER TABLE "grid" ADD COLUMN     "initial_base" DECIMAL(38,18) NOT NULL DEFAULT 0,
ADD COLUMN     "initial_cost" DECIMAL(38,18) NOT NULL DEFAULT 0,
ADD COLUMN     "rebased_at" TIMESTAMPTZ(3);
