import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isOpen, type OpenDialog, topDialog } from '../ui/dialogs/open-dialogs';
import { showToast } from '../ui/toast';
import { isOffline, sentenceOf } from './api';
import { withRecentSignIn } from './confirm-password';
import { patchEntity } from './live/patch';

interface SendOptions<Input, Output> {
  /** What the entity will look like; put back with the reason when the service refuses. */
  optimistic?: (input: Input) => { id: string; changes: Record<string, unknown> } | undefined;
  onDone?: (output: Output, input: Input) => void;
  /** Where the form shows the refusal itself. */
  isQuiet?: boolean;
}

/**
 * A write to the service: shown at once where it can be, undone and explained where it was refused. The explanation stands in
 * the dialog that it was sent from while that is open, else in a message.
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
    // The dialog that was open, whose form it is then.
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
    onSuccess: (output, input) => onDone?.(output, input),
  });
}
