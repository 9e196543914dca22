-- AlterTable
ALTER TABLE "grid_snapshot" ADD COLUMN     "fees_total" DECIMAL(38,18),
ADD COLUMN     "grid_profit" DECIMAL(38,18),
ADD COLUMN     "inventory_result" DECIMAL(38,18);
