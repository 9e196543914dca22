import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Returns nonce, tag and ciphertext (AES-256-GCM). Only the same `associated` text opens them. */
export function sealBytes(
  key: Uint8Array,
  plain: Uint8Array,
  associated: string,
): Buffer<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(associated));
  const sealed = [cipher.update(plain), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]);
}

export function openBytes(key: Uint8Array, sealed: Uint8Array, associated: string): Buffer {
  const text = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(associated));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, text));
  return Buffer.concat([decipher.update(sealed.subarray(text)), decipher.final()]);
}
