import { useState } from 'react';
import { t } from '../i18n';
import { TextareaField } from './field';

interface JsonFieldProps {
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
  error?: string | undefined;
  hint?: string;
}

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
      onChange(null);
      setBroken(true);
    }
  };
  return (
    <TextareaField
      label={label}
      hint={hint}
      error={isBroken ? t('config.notJson') : error}
      className="font-mono text-sm"
      value={text}
      onChange={({ target }) => change(target.value)}
    />
  );
}
