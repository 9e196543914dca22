import { useState } from 'react';
import { t } from '../i18n';
import { Field, Textarea } from './field';

interface JsonFieldProps {
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
  error?: string | undefined;
  hint?: string;
}

/** For what has no control of its own. */
export function JsonField({
  label,
  value,
  onChange,
  error,
  hint = t('config.json'),
}: JsonFieldProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const [isBroken, setBroken] = useState(false);
  const change = (typed: string) => {
    setText(typed);
    try {
      onChange(typed.trim() === '' ? undefined : JSON.parse(typed));
      setBroken(false);
    } catch {
      // Not what was there before either: a form must not send that under these words.
      onChange(null);
      setBroken(true);
    }
  };
  return (
    <Field label={label} hint={hint} error={isBroken ? t('config.notJson') : error}>
      {(control) => (
        <Textarea
          {...control}
          className="font-mono text-sm"
          value={text}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </Field>
  );
}
