import { ExchangeFailure, type FailureCode } from '../../failure';
import { createCircuit } from './circuit';

describe('the circuit', () => {
  let time = 0;
  const failure = (code: FailureCode, until: number | null = null) =>
    new ExchangeFailure(code, 'x', 'x', until);
  const start = () => {
    time = 1_000_000;
    return createCircuit(() => time);
  };

  const call = () => ({ target: 'x', signal: new AbortController().signal });
  const openAfterOutage = () => {
    const circuit = start();
    for (let n = 0; n < 5; n++) circuit.failed(failure('network'));
    return circuit;
  };

  it('opens after five consecutive failures, admits a trial call after the pause, and closes on success', async () => {
    const circuit = start();
    for (let n = 0; n < 4; n++) circuit.failed(failure('timeout'));
    circuit.succeeded();
    for (let n = 0; n < 5; n++) {
      await circuit.admit(call());
      circuit.failed(failure('network'));
    }
    await expect(circuit.admit(call())).rejects.toThrow(/no calls/);
    time += 30_000;
    expect(circuit.state().circuit).toBe('half_open');
    await circuit.admit(call());
    circuit.failed(failure('unavailable'));
    expect(circuit.state().circuit).toBe('open');
    time += 30_000;
    await circuit.admit(call());
    circuit.succeeded();
    expect(circuit.state()).toMatchObject({ circuit: 'closed', consecutiveFailures: 0 });
  });

  it('delays other calls until the trial call succeeds', async () => {
    const circuit = openAfterOutage();
    time += 30_000;
    const trial = call();
    await circuit.admit(trial);
    const others = [call(), call()].map((one) => circuit.admit(one));
    await circuit.admit(trial);
    circuit.succeeded();
    await expect(Promise.all(others)).resolves.toHaveLength(2);
  });

  it('rejects the waiting calls when the trial call fails', async () => {
    const circuit = openAfterOutage();
    time += 30_000;
    await circuit.admit(call());
    const waiting = expect(circuit.admit(call())).rejects.toThrow(/no calls/);
    circuit.failed(failure('network'));
    await waiting;
  });

  it('admits the next call as a trial when the first trial is inconclusive', async () => {
    const circuit = openAfterOutage();
    time += 30_000;
    await circuit.admit(call());
    const next = circuit.admit(call());
    circuit.failed(failure('malformed'));
    await expect(next).resolves.toBeUndefined();
  });

  it('rejects a waiting call at its deadline', async () => {
    const circuit = openAfterOutage();
    time += 30_000;
    await circuit.admit(call());
    const ended = { target: 'x', signal: AbortSignal.abort() };
    await expect(circuit.admit(ended)).rejects.toMatchObject({ code: 'deadline' });
  });

  it.each([
    ['rate_limited', null, 60_000],
    ['rate_limited', 1_007_000, 7_000],
    ['banned', null, 120_000],
    ['banned', 1_900_000, 900_000],
  ] as const)(
    'rejects calls during the pause after %s with silentUntil %s',
    async (code, until, pause) => {
      const circuit = start();
      circuit.failed(failure(code, until));
      time += pause - 1;
      await expect(circuit.admit(call())).rejects.toThrow();
      time += 1;
      await circuit.admit(call());
    },
  );

  it('stays closed after malformed responses', () => {
    const circuit = start();
    for (let n = 0; n < 20; n++) circuit.failed(failure('malformed'));
    expect(circuit.state().circuit).toBe('closed');
  });
});
