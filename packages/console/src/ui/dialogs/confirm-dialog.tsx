import { type ReactNode, useState } from 'react';
import { InputField } from '../field';
import { FormDialog } from './form-dialog';

interface ConfirmDialogProps {
  title: string;
  submit: string;
  word?: string;
  wordLabel?: string;
  isBusy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function ConfirmDialog({
  title,
  submit,
  word,
  wordLabel = '',
  isBusy,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={title}
      submit={submit}
      tone="danger"
      isBusy={isBusy}
      isIncomplete={word !== undefined && typed.trim() !== word}
      onSubmit={onConfirm}
      onClose={onClose}
    >
      <p className="text-sm">{children}</p>
      {word !== undefined && (
        <InputField
          label={wordLabel}
          hint={word}
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
    </FormDialog>
  );
}
