import { Readable } from 'node:stream';
import { type ScriptedClamd, startClamd } from '../../../test/scripted-clamd';
import { connectScanner } from './clamd';

describe('connectScanner()', () => {
  let clamd: ScriptedClamd;
  beforeEach(async () => {
    clamd = await startClamd();
  });
  afterEach(() => clamd.close());

  const scan = (content: Readable | Buffer[], withinMs?: number) =>
    connectScanner(
      clamd.address,
      withinMs,
    )(content instanceof Readable ? content : Readable.from(content));

  it('sends the whole content, and returns null if the content is clean', async () => {
    const parts = [Buffer.alloc(70_000, 'a'), Buffer.alloc(0), Buffer.from('end')];
    expect(await scan(parts)).toBeNull();
    expect(clamd.received()).toEqual(Buffer.concat(parts));
    expect(await scan([])).toBeNull();
  });

  it('returns the name of the malware that the scanner found', async () => {
    clamd.answer('stream: Eicar-Test-Signature FOUND\0');
    expect(await scan([Buffer.from('x')])).toBe('Eicar-Test-Signature');
  });

  it.each([
    ['an error', 'INSTREAM size limit exceeded. ERROR\0', 'no verdict: "INSTREAM size'],
    ['an unknown verdict', 'stream: MAYBE\0', 'no verdict'],
    ['OK without a stream', 'OK\0', 'no verdict'],
    ['nothing', '\0', 'no verdict'],
    ['an endless answer', 'x'.repeat(5_000), 'too long for a verdict'],
  ])('rejects when the scanner answers with %s', async (_what, answer, message) => {
    clamd.answer(answer);
    await expect(scan([Buffer.from('x')])).rejects.toThrow(message);
  });

  it('rejects when the scanner closes the connection during the upload', async () => {
    clamd.hangUp();
    await expect(scan([Buffer.alloc(1_000_000)])).rejects.toThrow();
  });

  it('rejects when the scanner reads everything but does not respond', async () => {
    clamd.answer(null);
    await expect(scan([Buffer.from('x')], 100)).rejects.toThrow('no verdict within 100 ms');
  });

  it('rejects when the scanner reads nothing', async () => {
    clamd.readNothing();
    await expect(scan([Buffer.alloc(50_000_000)], 100)).rejects.toThrow('no verdict within 100 ms');
  });

  it('rejects when the content cannot be read or the scanner is unreachable', async () => {
    const failing = new Readable({
      read() {
        this.destroy(new Error('the disk is away'));
      },
    });
    await expect(scan(failing)).rejects.toThrow('disk is away');
    await clamd.close();
    await expect(scan([Buffer.from('x')])).rejects.toThrow('ECONNREFUSED');
  });
});
