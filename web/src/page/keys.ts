// Keyboard: what counts as typing, so that single letters do not act then.

/** Whether a key belongs to a text field, a menu or a dialog. */
export function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest('dialog, [role="dialog"], [role="menu"]') !== null)
    return true;
  return ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
