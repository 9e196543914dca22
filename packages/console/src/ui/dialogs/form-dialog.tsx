import { type FormEvent, type ReactNode, useId } from 'react';
import type { Held } from '../../data/draft';
import { t } from '../../i18n';
import { Button } from '../button';
import { Dialog } from './dialog';

interface FormDialogProps {
  title: string;
  submit?: string;
  tone?: 'primary' | 'danger';
  isBusy?: boolean;
  isIncomplete?: boolean;
  isDone?: boolean;
  held?: Held;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
}

export function FormDialog({
  title,
  submit = t('action.save'),
  tone = 'primary',
  isBusy,
  isIncomplete,
  isDone,
  held,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const id = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      held={held}
      losesInput={!isDone}
      footer={
        <>
          {!isDone && (
            <Button
              tone="quiet"
              onClick={() => {
                held?.clear();
                onClose();
              }}
            >
              {t('action.cancel')}
            </Button>
          )}
          <Button tone={tone} type="submit" form={id} isBusy={isBusy} disabled={isIncomplete}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="flex flex-col gap-3"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}
