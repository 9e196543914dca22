import { generateKeyPairSync, sign } from 'node:crypto';

/** One DER element: tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const hex = (text: string) => Buffer.from(text, 'hex');
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (text: string) => der(0x06, hex(text));

const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const BASIC_CONSTRAINTS = oid('551d13');
const SUBJECT_ALT_NAME = oid('551d11');
const TRUE = hex('0101ff');

const utcTime = (date: Date) =>
  der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

/** A certificate that vouches for `localhost` or another host, and 127.0.0.1, good for an hour around now. */
export function selfSigned(host = 'localhost'): { key: string; certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(host)))));
  const now = Date.now();
  const validity = sequence(utcTime(new Date(now - 600_000)), utcTime(new Date(now + 3_600_000)));
  const names = sequence(der(0x82, Buffer.from(host)), der(0x87, hex('7f000001')));
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE))),
    sequence(SUBJECT_ALT_NAME, der(0x04, names)),
  );
  const body = sequence(
    der(0xa0, hex('020102')),
    der(0x02, hex('2a')),
    ECDSA_SHA256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, hex('00'), sign('sha256', body, privateKey));
  const text = sequence(body, ECDSA_SHA256, signature).toString('base64');
  const lines = text.match(/.{1,64}/g)?.join('\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
