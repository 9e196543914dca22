import { randomBytes } from 'node:crypto';
import { newId } from '@switchyard/db';
import { openBytes, sealBytes } from './aes-gcm';
import { masterKeyId } from './master-keys';
import { createSecretBox } from './secret-box';

const newBox = (current = randomBytes(32), old: Buffer | null = null) =>
  createSecretBox({ current, old });
const newPlace = () => ({ companyId: newId(), secretId: newId(), version: 1 });

describe('createSecretBox()', () => {
  const box = newBox();

  it('decrypts its own ciphertexts, for any characters in the value', () => {
    const place = newPlace();
    const key = box.createDataKey({ id: newId(), companyId: place.companyId });
    for (const value of ['x', ' \n', 'pässwörd 🗝', 'a'.repeat(8_192)]) {
      const sealed = box.seal(key, place, value);
      if (value.length > 2) expect(Buffer.from(sealed).includes(value)).toBe(false);
      expect(box.open(key, place, sealed)).toBe(value);
    }
  });

  it('encrypts the same value to different bytes each time', () => {
    const place = newPlace();
    const key = box.createDataKey({ id: newId(), companyId: place.companyId });
    expect(box.seal(key, place, 'same')).not.toEqual(box.seal(key, place, 'same'));
    const other = box.createDataKey({ id: key.id, companyId: place.companyId });
    expect(other.wrappedKey).not.toEqual(key.wrappedKey);
  });

  it.each([
    ['another secret', { secretId: newId() }],
    ['another version', { version: 2 }],
    ['another company', { companyId: newId() }],
  ])('does not decrypt a ciphertext that was moved to %s', (_, moved) => {
    const place = newPlace();
    const key = box.createDataKey({ id: newId(), companyId: place.companyId });
    const sealed = box.seal(key, place, 'value');
    expect(() => box.open(key, { ...place, ...moved }, sealed)).toThrow();
  });

  it('does not decrypt a data key that was moved to another row or company', () => {
    const place = newPlace();
    const key = box.createDataKey({ id: newId(), companyId: place.companyId });
    const sealed = box.seal(key, place, 'value');
    for (const moved of [{ id: newId() }, { companyId: newId() }]) {
      expect(() => box.open({ ...key, ...moved }, place, sealed)).toThrow();
    }
    const other = box.createDataKey({ id: newId(), companyId: place.companyId });
    expect(() => box.open(other, place, sealed)).toThrow();
  });

  it('does not decrypt bytes that were changed or truncated', () => {
    const key = randomBytes(32);
    const sealed = sealBytes(key, Buffer.from('value'), 'place');
    expect(openBytes(key, sealed, 'place').toString()).toBe('value');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => openBytes(key, changed, 'place')).toThrow();
      expect(() => openBytes(key, sealed.subarray(0, at), 'place')).toThrow();
    }
  });

  it('decrypts values that the old master key encrypted, but wraps data keys only with the current key', () => {
    const [first, second] = [randomBytes(32), randomBytes(32)];
    const place = newPlace();
    const made = newBox(first).createDataKey({ id: newId(), companyId: place.companyId });
    const sealed = newBox(first).seal(made, place, 'value');
    expect(() => newBox(second).open(made, place, sealed)).toThrow(masterKeyId(first));

    const both = newBox(second, first);
    expect(both.open(made, place, sealed)).toBe('value');
    const wrapped = both.rewrap(made);
    expect(wrapped).toMatchObject({ id: made.id, masterKeyId: masterKeyId(second) });
    expect(newBox(second).open(wrapped, place, sealed)).toBe('value');
    expect(() => newBox(first).open(wrapped, place, sealed)).toThrow(masterKeyId(second));
  });
});
