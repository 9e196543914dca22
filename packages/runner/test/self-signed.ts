import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

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

export interface Certified {
  key: string;
  certificate: string;
}

interface Vouched {
  name: string;
  isAuthority: boolean;
  address?: string;
  issuer?: { name: string; key: KeyObject };
}

function certify({ name, isAuthority, address, issuer }: Vouched) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const nameOf = (text: string) =>
    sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));
  const now = Date.now();
  const validity = sequence(utcTime(new Date(now - 600_000)), utcTime(new Date(now + 3_600_000)));
  const octets = Buffer.from((address ?? '127.0.0.1').split('.').map(Number));
  const names = sequence(der(0x82, Buffer.from(name)), der(0x87, octets));
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, isAuthority ? sequence(TRUE) : sequence())),
    sequence(SUBJECT_ALT_NAME, der(0x04, names)),
  );
  const body = sequence(
    der(0xa0, hex('020102')),
    der(0x02, Buffer.concat([Buffer.from([0x2a]), randomBytes(8)])),
    ECDSA_SHA256,
    nameOf(issuer?.name ?? name),
    validity,
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signed = sign('sha256', body, issuer?.key ?? privateKey);
  const text = sequence(body, ECDSA_SHA256, der(0x03, hex('00'), signed)).toString('base64');
  const lines = text.match(/.{1,64}/g)?.join('\n');
  return {
    privateKey,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

export function selfSigned(host = 'localhost'): Certified {
  const { key, certificate } = certify({ name: host, isAuthority: true });
  return { key, certificate };
}

/**
 * Creates a certificate signed by a separate authority, because some clients reject an authority's
 * certificate for a server.
 */
export function signedByAuthority(
  host: string,
  address: string,
): Certified & { authority: string } {
  const authority = certify({ name: `the authority of ${host}`, isAuthority: true });
  const issuer = { name: `the authority of ${host}`, key: authority.privateKey };
  const { key, certificate } = certify({ name: host, isAuthority: false, address, issuer });
  return { key, certificate, authority: authority.certificate };
}
