// Modal dialog with a title and a button that closes it; its style is in styles/help.css.
import { type ReactNode, type RefObject, useEffect } from 'react';

interface ModalDialogProps {
  /** The dialog element, for callers that close it in another way. */
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly className?: string;
  readonly label: string;
  /** Title; by default the label. */
  readonly title?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * The dialog, which opens when it is mounted. The browser keeps the focus in it, and restores the
 * focus afterwards.
 */
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
