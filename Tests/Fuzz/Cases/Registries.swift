// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The names that the types of these cases have.
public enum Registries {
    /// Short names for all that may be made, so that archives are small.
    public static let standard: ClassRegistry = {
        var classes = ClassRegistry()
        classes.register(Specimen.self, name: "Specimen")
        classes.register(Scalars.self, name: "Scalars")
        classes.register(Leaves.self, name: "Leaves")
        classes.register(Collections.self, name: "Collections")
        classes.register(Almanac.self, name: "Almanac")
        classes.register(Corner.self, name: "Corner")
        classes.register(Figure.self, name: "Figure")
        classes.register(Ledger.self, name: "Ledger")
        classes.register(Ancestor.self, name: "Ancestor")
        classes.register(Heir.self, name: "Heir")
        register(into: &classes) { name, aliases in (name, aliases) }
        return classes
    }()

    /// Other names, and the standard ones as former names.
    public static let renamed: ClassRegistry = {
        var classes = ClassRegistry()
        register(into: &classes) { name, aliases in ("New" + name, [name, "Old." + name] + aliases) }
        return classes
    }()

    /// The standard names with a policy for unknown classes.
    public static func standard(_ policy: ClassRegistry.UnknownClassPolicy) -> ClassRegistry {
        var classes = standard
        classes.unknownClasses = policy
        return classes
    }

    /// As `standard`, with shelves whose nodes are decoded one by one.
    static let lists: ClassRegistry = {
        var classes = ClassRegistry()
        register(into: &classes, shelf: ListedShelf.self) { ($0, $1) }
        return classes
    }()

    /// Few of the names, so that archives have objects of unknown classes.
    public static func few(_ policy: ClassRegistry.UnknownClassPolicy) -> ClassRegistry {
        var classes = ClassRegistry()
        classes.register(Brick.self, name: "Brick")
        classes.register(Node.self, name: "Node")
        classes.register(Folder.self, name: "Folder")
        classes.unknownClasses = policy
        return classes
    }

    private static func register(
        into classes: inout ClassRegistry, shelf: any Any.Type = Shelf.self,
        naming: (String, [String]) -> (String, [String])
    ) {
        let types: [(any Any.Type, String, [String])] = [
            (Graph.self, "Graph", []), (Node.self, "Node", ["Knot"]), (Branch.self, "Branch", ["Twig", "Bough"]),
            (Hub.self, "Hub", []), (Town.self, "Town", []), (Spoke.self, "Spoke", []), (Brick.self, "Brick", ["Stone"]),
            (Unit.self, "Unit", []), (Box.self, "Box", ["Crate"]), (Folder.self, "Folder", ["Directory"]),
            (Disk.self, "Disk", ["Volume"]), (Stop.self, "Stop", ["Station"]), (Record.self, "Record", []),
            (Cabinet.self, "Cabinet", []), (Token.self, "Token", ["Coin"]), (shelf, "Shelf", []),
            (Stock.self, "Stock", []), (Fragile.self, "Fragile", []), (FragileCell.self, "FragileCell", []),
            (Sailor.self, "Sailor", ["Seaman"]), (Captain.self, "Captain", ["Skipper"]), (Tag.self, "Tag", []),
            (Trunk.self, "Trunk", []), (Locker.self, "Locker", []), (Wide.self, "Wide", []), (Cargo.self, "Cargo", []),
            (Port.self, "Port", []), (Kit.self, "Kit", []), (Voyage.self, "Voyage", []),
            (Attempts.self, "Attempts", []),
        ]
        for (type, name, aliases) in types {
            let (name, aliases) = naming(name, aliases)
            classes.register(type, name: name, aliases: aliases)
        }
    }
}
