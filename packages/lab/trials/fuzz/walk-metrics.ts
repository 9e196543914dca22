import { openApiDocument } from '@switchyard/metrics/src/docs/openapi';
import { METRICS_TOOLS } from '@switchyard/metrics/src/mcp/metrics-tools';
import { ROUTES } from '@switchyard/metrics/src/routes/routes';
import { documentFaults, startHarness } from '@switchyard/metrics/test/harness';
import { openAsker } from '@switchyard/orchestration/test/ask';
import { messagesFor } from '@switchyard/orchestration/test/fuzzing/messages';
import { oddly, questionsFor } from '@switchyard/orchestration/test/fuzzing/questions';
import {
  closeAfter,
  type Exchange,
  judgeBy,
  type Sent,
  sendAll,
} from '@switchyard/orchestration/test/fuzzing/send';
import { operationsOf } from '@switchyard/orchestration/test/operations';
import type { Ids } from '@switchyard/orchestration/test/world';

const GRID = {
  name: 'Grid',
  symbol: 'BTC/USDT',
  lower_price: '90000',
  upper_price: '110000',
  grid_count: 5,
  total_quote: '1000',
};

const BODIES: Record<string, object> = {
  'POST /grids/create': GRID,
  'POST /metrics/collect': { source: 'manual' },
};

/** These return 500 or 503 as a result, e.g. when the simulated exchange refuses a symbol. */
const REPORTS_FAILURES = ['/health', '/readyz', '/metrics/collect'];

export async function walkMetrics({
  seed,
  perKind,
}: {
  seed: number;
  perKind: number;
}): Promise<Sent> {
  const service = await startHarness();
  await service.http.post('/metrics/collect');
  const { body: grid } = await service.http.post('/grids/create').send(GRID).expect(201);
  const ids = { grid_id: grid.grid_id as string } as unknown as Ids;
  const references = ['00000000-0000-4000-8000-000000000000'];
  const documentFault = documentFaults(ROUTES);
  const exchanges = operationsOf(openApiDocument(ROUTES)).map((operation): Exchange => {
    const body = BODIES[`${operation.method} ${operation.path}`];
    const row = body ? { body: () => body } : {};
    const questions = questionsFor(operation, row, { ids, references, callers: [{}], key: 'x' });
    const isProbe = REPORTS_FAILURES.includes(operation.path);
    const faultOf = judgeBy(operation, documentFault, { hasCodes: false, isProbe });
    return { questions: oddly(questions), faultOf, stage: 0 };
  });
  const messages = messagesFor(METRICS_TOOLS, [], { ids, callers: [{}] });
  const asker = openAsker(`http://127.0.0.1:${service.port}`);
  const sent = await sendAll(asker.ask, [...exchanges, ...messages], { seed, perKind });
  await asker.close();
  await closeAfter(service, sent);
  return sent;
}
