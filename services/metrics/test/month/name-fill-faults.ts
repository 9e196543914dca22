import type { Decimal } from '../../src/decimal';
import { type Fault, startTradedAccount } from '../traded-account';

const FAULTS: Fault[] = ['hidden', 'doubled', 'mislabelled'];
const ALARM_MS = 15 * 60_000;
const LARGEST_FEES = 0.004;

interface Expected {
  base: string;
  fault: Fault;
  off: Decimal;
}

export function nameFillFaults(days: number, share: number): void {
  it.each([share, 0])(
    `GET /reconciliation names each faulty fill within one collection, without a false alarm (${days} days, a share of %p faulty fills)`,
    async (share) => {
      const account = await startTradedAccount('binance', 21);
      const { clock, random } = account;
      const now = () => clock.now().getTime();
      const [alarms, unnamed]: [unknown[], unknown[]] = [[], []];
      let [trades, faults, openedAt] = [0, 0, now()];

      const tradeOnce = (): Expected[] => {
        trades++;
        const fault = random() < share ? FAULTS[faults++ % FAULTS.length] : undefined;
        const lateMs = !fault && random() < 0.2 ? random() * 8 * 60_000 : 0;
        const { base, amount } = account.trade({ fault, lateMs });
        return fault ? [{ base, fault, off: fault === 'doubled' ? amount.negated() : amount }] : [];
      };
      const report = (day: number) =>
        process.stdout.write(
          `day ${day}: ${trades} fills, ${faults} faults, ${unnamed.length} unnamed, ${alarms.length} false alarms\n`,
        );
      await account.collect();
      for (let round = 0; round < days * 288; round++) {
        const expected: Expected[] = [];
        for (let minute = 0; minute < 4; minute++) {
          clock.forward(60_000);
          if (random() <= 0.4) expected.push(...tradeOnce());
        }
        if (random() < 0.02) account.transfer();
        clock.forward(60_000);
        const items = await account.collect();
        for (const item of items) {
          const age = now() - Date.parse(item.unexplained_since ?? '');
          if (age >= ALARM_MS) alarms.push({ round, ...item });
        }
        for (const { base, fault } of expected) {
          const shown = items.find(({ asset }) => asset === base);
          const off = expected.filter((one) => one.base === base).map((one) => one.off);
          const whole = off.reduce((sum, one) => sum.plus(one), account.pending(base, openedAt));
          const isNamed = whole
            .minus(shown?.unexplained ?? 0)
            .abs()
            .lt(LARGEST_FEES);
          if (!shown || !isNamed) unnamed.push({ round, base, fault, shown, whole });
        }
        if (expected.length > 0) {
          await account.service.http.post('/reconciliation/accept').send({}).expect(200);
          clock.forward(1_000);
          await account.collect();
          openedAt = now();
        }
        if ((round + 1) % 288 === 0) report((round + 1) / 288);
      }
      await account.close();
      expect({ alarms, unnamed }).toEqual({ alarms: [], unnamed: [] });
      expect(trades).toBeGreaterThan(days * 300);
    },
  );
}
