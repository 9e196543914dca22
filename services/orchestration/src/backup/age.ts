import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createFile } from '@switchyard/db';

type Age = typeof import('age-encryption', { with: { 'resolution-mode': 'import' }});

/** The package is loaded on first use, because it is an ES module. */
const age = (): Age => require('age-encryption') as Age;

type Source = Parameters<InstanceType<Age['Encrypter']>['encrypt']>[0] & ReadableStream;

const read = (path: string) => Readable.toWeb(createReadStream(path)) as unknown as Source;

const write = (source: ReadableStream, path: string) =>
  pipeline(Readable.fromWeb(source as never), createFile(path));

export function assertRecipients(recipients: readonly string[]): void {
  const { Encrypter } = age();
  for (const recipient of recipients) {
    try {
      new Encrypter().addRecipient(recipient);
    } catch {
      throw new Error(
        `"${recipient}" must be an age recipient: age-keygen prints it as "public key: age1…"`,
      );
    }
  }
}

export async function makeIdentity(): Promise<{ identity: string; recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = age();
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

export async function encryptFile(
  from: string,
  to: string,
  recipients: readonly string[],
): Promise<void> {
  const encrypter = new (age().Encrypter)();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  await write(await encrypter.encrypt(read(from)), to);
}

export async function decryptFile(
  from: string,
  to: string,
  identities: readonly string[],
): Promise<void> {
  const decrypter = new (age().Decrypter)();
  for (const identity of identities) decrypter.addIdentity(identity);
  await write(await decrypter.decrypt(read(from)), to);
}

export async function encryptText(text: string, passphrase: string): Promise<Uint8Array> {
  const encrypter = new (age().Encrypter)();
  encrypter.setPassphrase(passphrase);
  return encrypter.encrypt(text);
}

export async function decryptText(bytes: Uint8Array, passphrase: string): Promise<string> {
  const decrypter = new (age().Decrypter)();
  decrypter.addPassphrase(passphrase);
  return decrypter.decrypt(bytes, 'text');
}

export function assertIdentities(identities: readonly string[]): void {
  const { Decrypter } = age();
  for (const identity of identities) {
    try {
      new Decrypter().addIdentity(identity);
    } catch {
      throw new Error('each line of the identity file must be an age identity or a comment');
    }
  }
}
