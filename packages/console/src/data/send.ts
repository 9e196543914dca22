import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isOpen, type OpenDialog, topDialog } from '../ui/dialogs/open-dialogs';
import { showToast } from '../ui/toast';
import { isOffline, sentenceOf } from './api';
import { withRecentSignIn } from './confirm-password';
import { patchEntity } from './live/patch';

interface SendOptions<Input, Output> {
  optimistic?: (input: Input) => { id: string; changes: Record<string, unknown> } | undefined;
  onDone?: (output: Output, input: Input) => void;
  isQuiet?: boolean;
}

/**
 * Sends a write. Shows the result immediately if possible, and undoes it if the service rejects the
 * write. The dialog that sent the write shows the error; if it is closed, a toast does.
 */
export function useSend<Input, Output>(
  write: (input: Input) => Promise<Output>,
  { optimistic, onDone, isQuiet }: SendOptions<Input, Output> = {},
) {
  const client = useQueryClient();
  return useMutation<
    Output,
    Error,
    Input,
    { undo: (() => void) | undefined; dialog: OpenDialog | undefined }
  >({
    mutationFn: (input) => withRecentSignIn(() => write(input)),
    onMutate: (input) => {
      const dialog = topDialog();
      dialog?.showRefusal(undefined);
      const expected = optimistic?.(input);
      return { undo: expected && patchEntity(client, expected.id, expected.changes), dialog };
    },
    onError: (error, _input, begun) => {
      begun?.undo?.();
      if (isQuiet) return;
      if (begun?.dialog && isOpen(begun.dialog)) begun.dialog.showRefusal(error);
      else showToast({ tone: 'bad', text: sentenceOf(error), isOffline: isOffline(error) });
    },
    onSuccess: (output, input, begun) => {
      begun.dialog?.settle();
      onDone?.(output, input);
    },
  });
}
