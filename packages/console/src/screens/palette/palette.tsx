import { Dialog } from '../../ui/dialog';

export function Palette({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Palette" onClose={onClose}>
      {null}
    </Dialog>
  );
}
