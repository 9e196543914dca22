import { openAsker } from './ask';
import { fuzz } from './fuzzing/fuzz-operation';
import { faultOf } from './fuzzing/judge';
import { useHarness } from './harness';
import { document, operationsOf } from './operations';
import { SECURITY_TABLE } from './security-table';
import { buildSide, type Side } from './world';

const numRuns = Number(process.env.FUZZ_RUNS ?? 15);
const seed = Number(process.env.FUZZ_SEED ?? 2);

const OPERATIONS = operationsOf(document()).map(
  (operation) => [`${operation.method} ${operation.path}`, operation] as const,
);

describe('responses to random requests', () => {
  const harness = useHarness();
  let asker: ReturnType<typeof openAsker>;
  let foreign: Side;
  let reader: Side;
  beforeAll(async () => {
    foreign = await buildSide(harness);
    reader = await buildSide(harness);
    asker = openAsker(harness.url);
  });
  afterAll(() => asker.close());

  it.each(OPERATIONS)('include no 5xx and no malformed error: %s', async (name, route) => {
    const row = SECURITY_TABLE[name] ?? { access: 'public' };
    const own = route.method === 'GET' ? reader : await buildSide(harness);
    const key = await harness.build.apiKey(own.agent.id);
    await row.prepare?.(harness, own.ids);
    await fuzz({ harness, ask: asker.ask, route, row, own, foreign, key }, { numRuns, seed });
  });
});

describe('the fuzz test', () => {
  it('detects a planted fault', () => {
    const headers = { 'x-correlation-id': 'c' };
    const body = { error: 'x', code: 'not_found', requestId: 'c' };
    expect(faultOf({ status: 404, headers, body })).toBeNull();
    expect(faultOf({ status: 500, headers, body })).not.toBeNull();
    expect(faultOf({ status: 404, headers, body: '<html>' })).not.toBeNull();
    expect(faultOf({ status: 404, headers: {}, body })).not.toBeNull();
    expect(faultOf({ status: 404, headers, body: { ...body, code: 'other' } })).not.toBeNull();
  });
});
