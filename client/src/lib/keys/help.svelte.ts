// The overlay of the keys: open or not, on whatever page.

class KeysHelp {
  isOpen = $state(false);

  toggle(): void {
    this.isOpen = !this.isOpen;
  }
}

export const keysHelp = new KeysHelp();
