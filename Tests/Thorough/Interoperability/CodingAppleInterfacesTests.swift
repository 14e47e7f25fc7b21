// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

// What interfaces, documents and templates of programs hold: objects that know each other, in archives with keys of
// their own at the top.

/// NSMenu, which has the items that have it.
private final class Menu: StandIn {
    let title: String
    private(set) var items: [MenuItem] = []

    init(coder: KeyedUnarchiver) throws {
        title = try coder.decode(String.self, forKey: "NSTitle")
        coder.publish(self)
        items = try coder.decode([MenuItem].self, forKey: "NSMenuItems")
    }
}

private final class MenuItem: StandIn {
    let title: String
    private(set) weak var menu: Menu?

    init(coder: KeyedUnarchiver) throws {
        // A text that is to be translated has a class of its own, with the keys of a text.
        title =
            coder.archivedClassName(forKey: "NSTitle") == nil
            ? try coder.decode(String.self, forKey: "NSTitle")
            : try coder.decode(LocalizableString.self, forKey: "NSTitle").text
        menu = try coder.decode(Menu.self, forKey: "NSMenu")
    }
}

private final class LocalizableString: StandIn {
    let text: String

    init(coder: KeyedUnarchiver) throws { text = try coder.decode(String.self, forKey: "NS.string") }
}

/// NSNibOutletConnector and NSNibControlConnector.
private final class Connector: StandIn {
    let label: String
    let menu: Menu?

    init(coder: KeyedUnarchiver) throws {
        label = try coder.decode(String.self, forKey: "NSLabel")
        let isMenu = coder.archivedClassName(forKey: "NSDestination") == "NSMenu"
        menu = isMenu ? try coder.decode(Menu.self, forKey: "NSDestination") : nil
    }
}

/// NSIBObjectData.
private final class InterfaceData: StandIn {
    let connectors: [Connector]

    init(coder: KeyedUnarchiver) throws { connectors = try coder.decode([Connector].self, forKey: "NSConnections") }
}

private class View: Coding {
    let bounds: [Double]
    let center: [Double]
    let tag: Int
    let subviews: [View]

    required init(coder: KeyedUnarchiver) throws {
        let (bounds, center) = (try coder.decodeRect(forKey: "UIBounds"), try coder.decodePoint(forKey: "UICenter"))
        self.bounds = [bounds.x, bounds.y, bounds.width, bounds.height]
        self.center = [center.x, center.y]
        tag = try coder.decodeInteger(forKey: "UITag")
        subviews = try coder.decodeIfPresent([View].self, forKey: "UISubviews") ?? []
    }

    func encode(with coder: KeyedArchiver) throws {}
}

private final class Button: View {}

extension `Coding reads archives by Apple's frameworks` {
    @Test func `a menu whose items know it`() throws {
        let unarchiver = try unarchiver(
            "744de26482",
            [
                "NSIBObjectData": InterfaceData.self, "NSNibOutletConnector": Connector.self, "NSMenu": Menu.self,
                "NSMenuItem": MenuItem.self, "NSLocalizableString": LocalizableString.self,
            ])
        unarchiver.classes.register(Connector.self, aliases: ["NSNibControlConnector"])
        #expect(unarchiver.allKeys.sorted() == ["IB.objectdata", "IB.systemFontUpdateVersion"])
        #expect(try unarchiver.decodeInteger(forKey: "IB.systemFontUpdateVersion") == 1)
        let data = try unarchiver.decode(InterfaceData.self, forKey: "IB.objectdata")
        #expect(data.connectors.count == 99)
        let connector = try #require(data.connectors.first { $0.menu != nil })
        let menu = try #require(connector.menu)
        #expect(connector.label == "statusMenu" && menu.title == "" && menu.items.count == 19)
        #expect(menu.items.allSatisfy { $0.menu === menu })
        #expect(menu.items.map(\.title).filter { !$0.isEmpty }.prefix(3) == ["Up", "Halt", "SSH to k8solo-01"])
    }

    /// UITableViewCellContentView is not registered; its `$classhints` say that it is a UIView.
    @Test func `views whose class is unknown, and falls back`() throws {
        let unarchiver = try unarchiver("1c3092e610", ["UIView": View.self, "UIButton": Button.self])
        // Proxies, and a cell whose class is swapped: only the cell's views are of interest.
        final class TopLevel: StandIn {
            let contentView: View?

            init(coder: KeyedUnarchiver) throws {
                contentView = try coder.decodeIfPresent(View.self, forKey: "UIContentView")
            }
        }
        for name in ["UIProxyObject", "UIClassSwapper"] { unarchiver.classes.register(TopLevel.self, aliases: [name]) }
        let objects = try unarchiver.decode([TopLevel].self, forKey: "UINibTopLevelObjectsKey")
        #expect(objects.map { $0.contentView == nil } == [true, true, false])
        let content = try #require(objects[2].contentView)
        #expect(content.bounds == [0, 0, 320, 52] && content.center == [160, 26] && content.tag == 0)
        let button = try #require(content.subviews.first?.subviews.first)
        #expect(type(of: content) == View.self && button is Button && button.tag == 1)
    }

    @Test func `objects without keys at the top`() throws {
        let unarchiver = try unarchiver("c8d176788c", ["NSAttributedString": AttributedStringStandIn.self])
        #expect(try unarchiver.decodeNext(Int.self) == 8)
        #expect(try unarchiver.decodeNext(String.self) == "com.apple.xray.power.mobile.energy")
        #expect(
            unarchiver.archivedClassName(forKey: "com.apple.xray.owner.template.description") == "NSAttributedString")
        #expect(try unarchiver.decodeDouble(forKey: "com.apple.xray.owner.template.version") == 2.1)
        #expect(try !unarchiver.decodeBool(forKey: "com.apple.xray.instrument.preloadCoreProfile"))
        let icon = try unarchiver.decodeIfPresent(String.self, forKey: "com.apple.xray.owner.template.iconURL")
        #expect(icon == "rsrc://iPhonePowerTemplates")
    }

    /// A subclass of NSKeyedArchiver wrote it, so that arrays have a key for each element.
    @Test func `an array by a subclass of the archiver`() throws {
        final class Wrapper: StandIn {
            let styles: [Style]

            init(coder: KeyedUnarchiver) throws { styles = try coder.decode([Style].self, forKey: "array_do") }
        }
        final class Style: StandIn {
            let name: String

            init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }
        }
        final class Container: StandIn {
            let objects: Wrapper

            init(coder: KeyedUnarchiver) throws { objects = try coder.decode(Wrapper.self, forKey: "objects") }
        }
        final class Document: StandIn {
            let layerStyles: Container
            let isEnabled: Bool

            init(coder: KeyedUnarchiver) throws {
                layerStyles = try coder.decode(Container.self, forKey: "layerStyles")
                isEnabled = try coder.decodeBool(forKey: "enableLayerInteraction")
            }
        }
        let unarchiver = try unarchiver("a6e9053d0f")
        let container = try #require(unarchiver.archivedClassName(forKey: "root"))
        #expect(container == "MSDocumentData")
        for (name, type) in [
            ("MSDocumentData", Document.self), ("MSSharedLayerStyleContainer", Container.self),
            ("MSArray", Wrapper.self),
            ("MSSharedLayerStyle", Style.self),
        ] as [(String, any Any.Type)] {
            unarchiver.classes.register(type, aliases: [name])
        }
        let document = try unarchiver.decode(Document.self, forKey: "root")
        #expect(document.isEnabled && document.layerStyles.objects.styles.map(\.name) == ["Line Shared Style"])
    }
}
