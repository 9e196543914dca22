import { ExchangeFailure, type FailureCode } from '../failure';
import { createCircuit } from './circuit';

describe('the circuit', () => {
  let time = 0;
  const failure = (code: FailureCode, until: number | null = null) =>
    new ExchangeFailure(code, 'x', 'x', until);
  const start = () => {
    time = 1_000_000;
    return createCircuit(() => time);
  };

  it('opens after five failures in a row, tries once after the pause and closes on success', () => {
    const circuit = start();
    for (let n = 0; n < 4; n++) circuit.failed(failure('timeout'));
    circuit.succeeded();
    for (let n = 0; n < 5; n++) {
      circuit.admit('x');
      circuit.failed(failure('network'));
    }
    expect(() => circuit.admit('x')).toThrow(/no calls/);
    time += 30_000;
    expect(circuit.state().circuit).toBe('half_open');
    circuit.admit('x');
    expect(() => circuit.admit('x')).toThrow(/no calls/);
    circuit.failed(failure('unavailable'));
    expect(circuit.state().circuit).toBe('open');
    time += 30_000;
    circuit.admit('x');
    circuit.succeeded();
    expect(circuit.state()).toMatchObject({ circuit: 'closed', consecutiveFailures: 0 });
  });

  it.each([
    ['rate_limited', null, 60_000],
    ['rate_limited', 1_007_000, 7_000],
    ['banned', null, 120_000],
    ['banned', 1_900_000, 900_000],
  ] as const)('is silent after %s until %s', (code, until, pause) => {
    const circuit = start();
    circuit.failed(failure(code, until));
    time += pause - 1;
    expect(() => circuit.admit('x')).toThrow();
    time += 1;
    expect(() => circuit.admit('x')).not.toThrow();
  });

  it('does not open for what is no fault of the connection', () => {
    const circuit = start();
    for (let n = 0; n < 20; n++) circuit.failed(failure('malformed'));
    expect(circuit.state().circuit).toBe('closed');
  });
});
