// A modal dialog with a title and a button that closes it; styles/help.css has its looks.
import { type ReactNode, type RefObject, useEffect } from 'react';

interface ModalDialogProps {
  /** The element, for whoever closes it in another way. */
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly className?: string;
  readonly label: string;
  /** The label by default. */
  readonly title?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Opens when it is mounted; the browser keeps the focus in it, and restores it afterwards. */
export function ModalDialog(props: ModalDialogProps) {
  const { dialog, className = '', label, title = label, onClose, children } = props;
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, [dialog]);
  return (
    <dialog className={`help ${className}`} ref={dialog} onClose={onClose} aria-label={label}>
      <form method="dialog" className="help-head">
        <h2>{title}</h2>
        <button className="button" type="submit">
          Close
        </button>
      </form>
      {children}
    </dialog>
  );
}
