// Whether the shortcut overlay is open, on any page.

class KeysHelp {
  isOpen = $state(false);

  toggle(): void {
    this.isOpen = !this.isOpen;
  }
}

export const keysHelp = new KeysHelp();
