import { startTradedAccount } from '../../test/traded-account';

/** A quarter of a day by default; set RECONCILED_DAYS=30 for a month. */
const days = Number(process.env.RECONCILED_DAYS ?? 0.25);
const ALARM_MS = 15 * 60_000;

it(`GET /reconciliation raises no false alarm in ${days} days of trades, transfers and late fills`, async () => {
  const account = await startTradedAccount('binance', 21);
  const { clock, random } = account;
  const alarms: unknown[] = [];
  let trades = 0;
  await account.collect();
  for (let round = 0; round < days * 288; round++) {
    for (let trade = 0; trade < 4; trade++) {
      clock.forward(60_000);
      if (random() > 0.4) continue;
      trades++;
      account.trade({ lateMs: random() < 0.2 ? random() * 8 * 60_000 : 0 });
    }
    if (random() < 0.02) account.transfer();
    clock.forward(60_000);
    for (const item of await account.collect()) {
      const age = clock.now().getTime() - Date.parse(item.unexplained_since ?? '');
      if (age >= ALARM_MS) alarms.push({ round, ...item });
    }
  }
  await account.close();
  expect(alarms).toEqual([]);
  expect(trades).toBeGreaterThan(days * 300);
});
