import type { ReactNode } from 'react';
import { FormDialog } from './form-dialog';

export function ConfirmDialog({
  title,
  submit,
  isBusy,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  submit: string;
  isBusy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <FormDialog
      title={title}
      submit={submit}
      tone="danger"
      isBusy={isBusy}
      onSubmit={onConfirm}
      onClose={onClose}
    >
      <p className="text-sm">{children}</p>
    </FormDialog>
  );
}
