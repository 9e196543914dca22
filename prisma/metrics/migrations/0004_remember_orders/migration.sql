-- CreateTable
CREATE TABLE "exchange_order" (
    "exchange" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "client_order_id" TEXT,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "exchange_order_pkey" PRIMARY KEY ("exchange","symbol","order_id")
);
