import { useState } from 'react';
import { t } from '../../../i18n';
import { Field, Textarea } from '../../../ui/field';

interface JsonFieldProps {
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
  error?: string;
}

/** For what has no control of its own. */
export function JsonField({ label, value, onChange, error }: JsonFieldProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const [isBroken, setBroken] = useState(false);
  const change = (typed: string) => {
    setText(typed);
    try {
      onChange(typed.trim() === '' ? undefined : JSON.parse(typed));
      setBroken(false);
    } catch {
      setBroken(true);
    }
  };
  return (
    <Field label={label} hint={t('config.json')} error={isBroken ? t('config.notJson') : error}>
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
