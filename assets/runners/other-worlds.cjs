{
  const vm = require('node:vm');
  const { createContext } = vm;
  const change = new vm.Script(given_source);
  vm.createContext = (...given) => {
    const world = createContext(...given);
    change.runInContext(world);
    return world;
  };
}
