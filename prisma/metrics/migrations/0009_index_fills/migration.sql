-- CreateIndex
CREATE INDEX "trade_traded_at_id_idx" ON "trade"("traded_at", "id");

-- CreateIndex
CREATE INDEX "trade_grid_id_traded_at_id_idx" ON "trade"("grid_id", "traded_at", "id");
